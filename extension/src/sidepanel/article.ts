import { Readability } from "@mozilla/readability";

/** Marks of elements, as content/snapshot.ts writes them. */
const MARK = /^data-pith-(\d+)$/;

/** Readability's vote: the numbers of the elements that make up its article, or null where it has none or fails. */
export function findArticle(html: string | null): number[] | null {
  if (html === null) return null;
  try {
    return judge(html);
  } catch {
    return null;
  }
}

/** Runs here, not in the page: it takes long on long pages. */
function judge(html: string): number[] | null {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  const article = new Readability<Element>(parsed, {
    serializer: (node) => node as Element,
    charThreshold: 250,
  }).parse();
  if (!article?.content) return null;
  const kept: number[] = [];
  for (const element of article.content.querySelectorAll("*")) {
    for (const { name } of element.attributes) {
      const number = MARK.exec(name)?.[1];
      if (number) kept.push(Number(number));
    }
  }
  return kept.length > 0 ? kept : null;
}
