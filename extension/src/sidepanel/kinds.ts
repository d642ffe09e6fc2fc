// What a page is, in words.
import type { Summary } from "@pith/web";
import { number, t } from "../ui/words.js";

const KINDS = {
  news: "kind_news",
  feature: "kind_feature",
  opinion: "kind_opinion",
  blog: "kind_blog",
  "engineering-post": "kind_engineering_post",
  encyclopedia: "kind_encyclopedia",
  howto: "kind_howto",
  recipe: "kind_recipe",
  product: "kind_product",
  review: "kind_review",
  forum: "kind_forum",
  qa: "kind_qa",
  faq: "kind_faq",
  "api-reference": "kind_api_reference",
  manual: "kind_manual",
  "man-page": "kind_man_page",
  tutorial: "kind_tutorial",
  "book-chapter": "kind_book_chapter",
  changelog: "kind_changelog",
  "release-notes": "kind_release_notes",
  paper: "kind_paper",
  licence: "kind_licence",
  legal: "kind_legal",
  government: "kind_government",
  list: "kind_list",
  index: "kind_index",
  fiction: "kind_fiction",
  collection: "kind_collection",
} as const;
/** A kind that is less sure than this is not named. */
const CONFIDENCE_MIN = 0.5;

/** "Man page · 2,340 words"; null where the kind is not known well enough. */
export function kindOf({ kind, kindConfidence, words }: Summary): string | null {
  const name = kindConfidence >= CONFIDENCE_MIN ? KINDS[kind as keyof typeof KINDS] : undefined;
  return name ? t("pageKind", t(name), number(words)) : null;
}
