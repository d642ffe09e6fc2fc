// What looks like the name of somebody, and what markup says that it is one.

/** Words in classes and ids of the element that holds an author's name. */
const HINTS = new Set(
  "author authorname postauthor username user users userid userlink usertext nick nickname poster sender from byline creator hnuser commenter commentator contributor member membername screenname displayname realname fullname fn handle speaker messagename commentname postername reviewername writer who persona actor vcard hcard".split(
    " ",
  ),
);
/** What stands beside a name and is none. */
const BESIDE_NAME = /title|rank|role|badge|status|avatar|stat(?:s|istics)|count|date|time|joined|location|signature/i;
const STRONG = /(?:^|\s)(?:p-author|u-author|fn)(?:\s|$)/;
/** Addresses of people. */
const PERSON =
  /^mailto:|^(?:https?:\/\/[^/]*)?(?:\/[^?#]*)?\/(?:u|~|@|user|users|member|members|memberlist|profile|profiles|people|person|author|authors)(?:\/|\.php|$|\?)|\/[@~][\w.-]+\/?$|[?&](?:user(?:name|id)?|uid|author|profile|member|mode=viewprofile)(?:=|&)|\bmember\.php\b/i;
const HREF_CHARS_MAX = 300;
const NAME_CHARS_MAX = 60;
const NAME_WORDS_MAX = 5;
/** What stands before a name in a line about a text. */
const BEFORE =
  /^(?:(?:(?:re)?posted|written|submitted|asked|answered|started|opened|comment(?:ed)?|reply|message|sent|from|von|geschrieben|posté|écrit|par|por|publicado|escrito|di|door|av|от|автор|作者|著者|投稿者|发表于|كتب|بواسطة|लेखक)\s*)*(?:(?:by|von|par|por|da|di|door|av|от)\s+)?[:：]?\s*/iu;
/** What a line says instead of a name. */
const NO_NAME =
  /^(?:(?:re|fwd?|subject|date|time|to|cc|on|at|in|by|from|op|mod|member|moderator|admin(?:istrator)?|guest|reply|quote|edit(?:ed)?|report|share|like|link|permalink|parent|more|prev(?:ious)?|next|root|top|save|hide|follow|pinned|updated|comment(?:s|ed)?|asked|answered|answers?|questions?|post(?:s|ed)?|joined|location|points?|likes?|votes?|views?|today|yesterday|just now|new|unread|solved|closed|open)(?:\s*[:.…]|\s+\d.*)?|#?\d+|\d[\d.,k]*\s+\p{L}+(?:\s+ago)?)$/iu;

/** How sure it is that an element holds an author's name: by markup that is made for it, by its names or its link, or not at all. */
export type Strength = 0 | 1 | 2;

/** Attributes by which a page tells who somebody is. */
export interface Attributes {
  readonly names: string;
  readonly rel: string;
  readonly itemprop: string;
  readonly href: string;
  /** An address or a number of a person, in attributes of their own. */
  readonly isPerson: boolean;
}

export function strengthOf({ names, rel, itemprop, href, isPerson }: Attributes): Strength {
  const words = (list: string): string[] => list.toLowerCase().split(/\s+/);
  if (words(rel).includes("author") || /^(?:author|creator|sender|agent)$/i.test(itemprop) || STRONG.test(names))
    return 2;
  if (isPerson || PERSON.test(href.slice(0, HREF_CHARS_MAX))) return 1;
  return isNamedSo(names) ? 1 : 0;
}

/** Classes are taken apart at signs and capitals, and joined in pairs: "user-name" and "userName" are "username". */
function isNamedSo(names: string): boolean {
  return names
    .slice(0, HREF_CHARS_MAX)
    .split(/\s+/)
    .some((name) => {
      if (BESIDE_NAME.test(name)) return false;
      const words = name
        .replace(/([a-z])([A-Z])/g, "$1-$2")
        .toLowerCase()
        .split(/[^a-z]+/)
        .filter(Boolean);
      return words.some((word, at) => HINTS.has(word) || HINTS.has(`${word}${words[at + 1] ?? ""}`));
    });
}

/** The name in a short text; null where it is something else. */
export function nameIn(text: string): string | null {
  const bare = text.trim().replace(/^<(.+)>$/, "$1");
  const name = (bare.replace(BEFORE, "") || bare).replace(/[\s,;·•|»>–—-]+$/u, "").trim();
  if (name.length > NAME_CHARS_MAX || !/[\p{L}\p{N}]/u.test(name)) return null;
  if (name.split(/\s+/).length > NAME_WORDS_MAX || /[.!?。:：]$|^[#(]|\n/.test(name)) return null;
  return NO_NAME.test(name) || ADDRESS.test(name) ? null : name;
}

/** The name in the header of a letter; null where a line is none. */
export function senderIn(line: string): string | null {
  const [, found = ""] = SENDER.exec(line.slice(0, SENDER_CHARS_MAX)) ?? [];
  return nameIn(found.replace(/["“”]/g, ""));
}

/** Addresses of mail, also in words. */
const ADDRESS = /\S\s?(?:@|\(at\)|\[at\]|\sat\s)\s?\S+\.\S/i;
const SENDER =
  /^(?:from|von|de|da|van|od|от|寄件者|发件人|差出人|보낸 사람|من|प्रेषक)\s*[:：]\s*([^<(\n@]{1,60}?)\s*(?:[<(@]|\s(?:date|datum|fecha|data|sent|to|subject|gesendet|an|дата)\s*[:：]|$)/iu;
const SENDER_CHARS_MAX = 300;

/** The end of "On 5 February Jorge Almeida wrote:", in the languages of mail programs and forums. */
const SAID =
  /\s*(?:\bwrote|\bwrites|\bsaid|\ba écrit|\bescribió|\bescreveu|\bha scritto|\bnapisał\p{L}*|\bнаписал\p{L}*|写道|さんは書きました)$/iu;
/** In these the name comes behind the verb. */
const SAID_BEFORE = /\b(?:schrieb|schreef|skrev)(?:\s+(.+))?$/iu;
const UP_TO_TIME =
  /^.*\d{1,2}[:.]\d{2}(?::\d{2})?(?:\s*[AP]\.?M\.?)?(?:\s*(?:Uhr|h|[A-Z]{2,4}|\(?[+-]\d{4}\)?))*[\s,)]+/iu;
const UP_TO_DATE = /^(?:on|am|le|el|il|op|em|w dniu)\s.*\d\S*\s+/iu;
const QUOTED_CHARS_MAX = 200;

/** Whom a line announces that stands before a quotation. `known`: the authors of the page; a name alone must be one of them. */
export function quotedIn(line: string, known: ReadonlySet<string>): string | null {
  if (line.length > QUOTED_CHARS_MAX || !/[:：]$/.test(line)) return null;
  const label = line.replace(/\s*<[^>]*>/g, "").replace(/\s*[:：]$/, "");
  if (known.has(label)) return label;
  const [behind, name = ""] = SAID_BEFORE.exec(label) ?? [];
  if (behind !== undefined) return nameIn(name || label.slice(0, -behind.length).replace(UP_TO_TIME, ""));
  if (!SAID.test(label)) return null;
  const before = label.replace(SAID, "").replace(UP_TO_TIME, "").replace(UP_TO_DATE, "");
  return nameIn(before.split(/[,，]\s*/).at(-1) ?? "");
}
