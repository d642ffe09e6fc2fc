// Short lines that say something about the text and are none of it: who wrote it and when, where else to go.
import { wordsIn } from "../blocks/text.js";
import { Pace } from "../walk.js";
import { isCredit } from "./credits.js";

const WORDS_MAX = 14;
const DATED_WORDS_MAX = 22;
const BYLINE =
  /^(?:(?:written|posted|published|edited|reviewed|photographed?|asked|answered|reported)\s+)*(?:by|von|par|por|di|door|av|от|автор|作者|著者|記者|文|بقلم|द्वारा|लेखक)[\s:：]/iu;
/** Of these words, those that begin other lines as well: a name follows where they tell of an author. */
const NO_BYLINE = /^(?:[Dd]oor|[Dd]i|[Aa]v|[Pp]ar|[Pp]or)\s+[\p{Ll}\p{N}]/u;
const QUOTING =
  /(?:\bwrote|\bwrites|\bsaid|\bschrieb|\ba écrit|\bescribió|\bha scritto|написал\w*|写道|さんは書きました)\s*[:：]$/iu;
/** A line of the header of a letter. */
const LETTER_HEADER =
  /^(?:from|to|cc|bcc|sender|reply-to|message-id|in-reply-to|von|an|de|à|para|da|a|van|aan|od|do|от|кому|差出人|宛先|发件人|收件人)\s*[:：].*\S\s?(?:@|\(at\)|\sat\s)\s?\S+\.\S/iu;
const LEADS =
  /^(?:related(?: (?:articles?|stories|posts?|links?|topics?|reading|coverage|pages?|products?|questions?|videos?))?|also read|popular.*|trending.*|most (?:read|popular|viewed|commented).*|latest (?:news|posts?|stories|articles?).*|recent (?:posts?|comments?|articles?).*|(?:customers|people|readers) (?:also|who).*|similar .*|table of contents|how we (?:reviewed|test).*|additional resources|others (?:asked|read|liked|bought)|what (?:people|others|customers|users) (?:say|ask|read).*|support (?:us|this|our).*|about the (?:author|writer)s?.*|(?:media|press) contacts?|on this page|in this (?:article|section|chapter)|(?:what to )?read (?:more|next|also)|more (?:on|from|about|in)\b.*|(?:top|more|latest|other) (?:stories|news|headlines|articles)|listen(?: to (?:this|the) (?:article|story|episode|page))?(?:\W*\d+\s*min(?:ute)?s?)?|recommended(?: (?:for you|by .*|stories|articles|reading|videos?))?|editors?['’]s? (?:picks?|choice)|further reading|continue reading|keep reading|you (?:may|might) (?:also )?(?:like|enjoy).*|up next|next up|jump to.*|skip to.*|go to.*|back to (?:top|the top).*|return to.*|advertisements?|sponsored.*|promoted|anzeige|werbung|publicité|publicidad|реклама|広告|广告|إعلان|विज्ञापन|share.*|tweet|pin(?: it)?|follow us.*|filed under.*|posted in.*|tagged(?: (?:with|as))?.*|tags?|categories|category|topics|mehr zum thema|lesen sie auch|lire aussi|à lire aussi|lea también|ver también|читайте также|関連記事|相关阅读|相关文章|اقرأ أيضا|frequently bought together|compare with similar.*|recently viewed|print|e-?mail|copy(?: link)?|save|report|reply|quote|edit|subscribe.*|sign (?:up|in).*|log ?in.*|join .*newsletter.*|loading.*|load more.*|show more.*|view (?:all|more).*|previous|next|prev|home|up|contents)\s*[:：»›→>…]*$/iu;
/** The same of shops and sites in other languages. */
const LEADS_ELSEWHERE =
  /^(?:(?:dazu passt|passend(?:e \p{L}+)? dazu|kunden (?:kauften|sahen|interessierten).*|(?:wird )?(?:oft|häufig) zusammen gekauft|ähnliche (?:artikel|produkte|beiträge|anzeigen|angebote|stellen).*|das könnte (?:sie|dich|ihnen|dir) auch .*|(?:zuletzt|kürzlich) angesehen.*|meistgelesen|auch interessant)|(?:vous aimerez aussi|vous aimerez peut-être.*|produits (?:similaires|associés|complémentaires)|les clients ont (?:aussi|également) .*|souvent achetés ensemble|vus? récemment|à (?:voir|découvrir) aussi|les plus lus|sur le même sujet|annonces similaires)|(?:también (?:te|le) puede interesar|productos (?:relacionados|similares)|(?:otros )?clientes (?:que|también) .*|comprados juntos habitualmente|lo más (?:visto|leído)|archivado en|te puede gustar.*)|(?:leggi anche|(?:ti )?potrebbe(?:ro)? (?:interessarti|piacerti).*|prodotti (?:correlati|simili)|spesso comprati insieme|(?:i )?più letti)|(?:leia também|veja também|produtos (?:relacionados|similares)|quem (?:viu|comprou) .*|você também pode gostar|mais lidas)|(?:lees ook|gerelateerde \p{L}+|vaak samen gekocht|(?:klanten|anderen) (?:kochten|bekeken) ook.*|meest gelezen)|(?:zobacz (?:też|także|również)|czytaj (?:też|także)|podobne (?:produkty|artykuły|oferty)|klienci kup\p{L}+ .*)|(?:läs också|liknande (?:produkter|artiklar)|andra (?:köpte|tittade) .*|mest läst)|(?:benzer (?:ürünler|ilanlar)|birlikte alınan.*|bunları da .*)|(?:с этим товаром .*|похожие (?:товары|статьи|объявления)|вам (?:также )?(?:может понравиться|будет интересно).*|также (?:покупают|смотрят).*)|(?:関連(?:商品|リンク|ニュース)|この商品を(?:買った|見た|チェックした)人は.*|よく一緒に購入されている(?:商品|もの)?|おすすめ(?:商品|記事)?|あわせて(?:読みたい|買いたい).*|最近(?:チェックした|見た)商品|アクセスランキング)|(?:相关(?:商品|推荐|产品)|猜你喜欢|看了又看|经常一起购买.*|推荐阅读|热门推荐)|(?:관련 ?(?:상품|기사|글)|함께 (?:본|구매한|많이 본) 상품|많이 본 (?:뉴스|기사))|(?:منتجات (?:ذات صلة|مشابهة)|قد (?:يعجبك|يهمك) أيضا.*)|(?:ये भी (?:देखिए|देखें|पढ़ें)|यह भी (?:देखें|पढ़ें)|(?:संबंधित|मिलते-जुलते) (?:उत्पाद|लेख|ख़बरें)))\s*[:：»›→>…]*$/iu;
const LEADING_LABEL =
  /^(?:related|see also|also read|read (?:more|next|also)|more from|(?:previous|next)(?: \w+)?|recommended|filed under|tags?|tagged|categories|topics|share|lesen sie auch|mehr zum thema|lire aussi|à lire aussi|lea también|читайте также|関連記事|相关阅读|اقرأ أيضا)\s*[:：]\s*\S/iu;
const ADVERTISED =
  /^(?:promoted|sponsored|advertisement|ad|anzeige|werbung|publicité|publicidad|реклама|广告|広告|إعلان|विज्ञापन|โฆษณา|광고)(?:[\s:：·•|-]|$)/iu;
const ADVERTISED_WORDS_MAX = 40;
const COUNTS =
  /^(?:\W|\d|\b(?:comments?|replies|reply|views?|likes?|points?|votes?|upvotes?|shares?|reviews?|ratings?|answers?|min(?:ute)?s?|hours?|days?|weeks?|months?|years?|h|m|d|ago|read|reading|time|edited|new|k|stars?|of|out|posts?|joined|reputation|asked|answered|active|modified|viewed|times|today|yesterday|permalink|score|helpful|people|found|this)\b)+$/iu;
const DATE_WORDS =
  "updated published posted last modified revised date on at am pm a.m p.m utc gmt est edt cet bst pst ist the of de del le la el um uhr den am vom à le mis jour publié actualizado publicado stand veröffentlicht aktualisiert опубликовано обновлено год года г в 年 月 日 時 分 更新 公開 发布 更新于 发布于 ساعة نشر تحديث प्रकाशित अपडेट st nd rd th today yesterday";

/** Headings of what ends an article and is none of it. */
const NOTES =
  /^(?:references|footnotes|citations|endnotes|sources|bibliography|einzelnachweise|références|notes et références|referencias|fuentes|примечания|источники|脚注|参考文献|参考资料|出典|المراجع|مصادر|हवाले|संदर्भ|सन्दर्भ)\b/iu;
const COMMENTS =
  /^(?:[(\d.,\s)]*(?:comments?|responses|reactions|thoughts on|kommentare?|commentaires?|coment[aá]rios?|comenti|commenti|reacties|komentarz\p{L}*|kommentarer|yorum\p{L}*|bình luận|ความคิดเห็น|комментари\p{L}+|تعليق\p{L}*|टिप्पणि\p{L}*)|leave a (?:comment|reply)|评论|留言|コメント|댓글)/iu;
/** A line of a standard that is set in pages, and the mark of a page of a printed book: "[Pg 41]", "p. 41", "{41}". */
const PAGE_NUMBER = /\[page \d+\]$|^[[({]?(?:pg?|page|seite|s)\.? ?\d{1,4}[\])}]?$|^[[{]\d{1,4}[\]}]$/i;
/** A line that begins with a date and a time. */
const STAMPED = /^\p{N}{4}([-/.])\p{N}{1,2}\1\p{N}{1,2}\s+\p{N}{1,2}[:：]\p{N}{2}(?!\p{N})/u;
/** From one time of a day to another: when something is open. */
const HOURS =
  /(?<!\d)\d{1,2}(?:(?:[:.h]\d{2}|\s*[ap]\.?m\.?|\s*uhr|\s*h)\s*(?:[–—-]|to|until|till|bis|à|a|alle|do|tot)|\s*[–—-])\s*\d{1,2}(?:[:.h]\d{2}(?!\d)|\s*(?:[ap]\.?m|uhr|h)(?!\p{L}))/iu;
const RELATIVE =
  /\b(?:\d+|an?|one)\s?(?:s|sec|min|m|h|hrs?|hours?|minutes?|seconds?|days?|d|weeks?|w|months?|mo|years?|y)\s+ago\b|\bvor \d+ \p{L}+|\bil y a \d+|\bhace \d+|\p{N}+ \p{L}+ назад|\p{N}\s?(?:分|時間|日|小时|分钟|天)(?:前|钟前)|منذ|पहले$/iu;

const HEADING_CHARS_MAX = 120;

/** What may stand under a heading and be no part of the text: links that lead elsewhere, notes, comments of readers. */
export type Section = "leads" | "notes" | "comments";

/** Recognises such lines on a page in one language. */
export class Lines {
  readonly #dayNames: ReadonlySet<string>;
  readonly #dateWords: ReadonlySet<string>;

  private constructor(dayNames: readonly string[]) {
    this.#dayNames = new Set(dayNames);
    this.#dateWords = new Set([...DATE_WORDS.split(" "), ...dayNames]);
  }

  /** For a page in this language; the browser's tables of names take long to open. */
  static async of(language: string | null): Promise<Lines> {
    const pace = new Pace();
    const names: string[] = [];
    for (const tag of new Set([language ?? "en", "en"])) {
      for (const length of ["long", "short"] as const) {
        names.push(...namesOfDays(tag, length));
        if (pace.isDue) await pace.pause();
      }
    }
    return new Lines(names);
  }

  /** Says which kind of line a text is, or null where it is none. */
  kind(text: string): "byline" | "date" | "lead" | "counts" | "tags" | null {
    if (text.length > 160) return null;
    const words = wordsIn(text);
    if (ADVERTISED.test(text) && words.length <= ADVERTISED_WORDS_MAX && !/^ad [a-z]/.test(text)) return "lead";
    if (words.length === 0 || words.length > WORDS_MAX) return null;
    if (/^(?:#[\p{L}\p{N}_]+[\s,]*)+$/u.test(text)) return "tags";
    if (QUOTING.test(text) || LETTER_HEADER.test(text)) return "byline";
    if (BYLINE.test(text) && !NO_BYLINE.test(text) && (!/[.!?。]$/.test(text) || this.isDated(text))) return "byline";
    if (isCredit(text, words.length)) return "byline";
    if (isLead(text) || LEADING_LABEL.test(text)) return "lead";
    if (Lines.isPageNumber(text)) return "counts";
    if (/\d/.test(text) && /\p{L}/u.test(text) && COUNTS.test(text)) return "counts";
    return this.#isDate(text) ? "date" : null;
  }

  /** True for short lines with a date or a time that are no sentence: who wrote what is next to them, and when. */
  isDated(text: string): boolean {
    if (text.length > 140) return false;
    if (STAMPED.test(text)) return true;
    if (wordsIn(text).length > DATED_WORDS_MAX) return false;
    // Signs between the parts make a list of facts of it, whatever it ends with.
    if (/[.!?。]["”)]?$/.test(text) && !/\s[·•|]\s/.test(text)) return false;
    if (RELATIVE.test(text)) return true;
    if (HOURS.test(text)) return false;
    const parts = partsOf(text);
    const isNumber = (at: number): boolean => /^\p{N}{1,4}(?:st|nd|rd|th)?$/u.test(parts[at] ?? "");
    const hasMonth = parts.some((part, at) => this.#dayNames.has(part) && (isNumber(at - 1) || isNumber(at + 1)));
    return (
      hasMonth ||
      /\b(?:19|20)\d\d([-/.])\d{1,2}\1\d{1,2}\b|\b\d{1,2}([-/.])\d{1,2}\2(?:19|20)?\d\d\b|\p{N}{4}年\p{N}+月/u.test(
        text,
      )
    );
  }

  /** What follows a heading, where it is no part of the text. */
  static section(heading: string): Section | null {
    if (heading.length > HEADING_CHARS_MAX) return null;
    if (NOTES.test(heading)) return "notes";
    if (COMMENTS.test(heading)) return "comments";
    return isLead(heading) ? "leads" : null;
  }

  /** True where a text begins with a heading of comments and their number: "Comments (2) Ann: I like it." */
  static opensComments(text: string): boolean {
    return COMMENTS.test(text) && /^\P{N}{3,20}\(\p{N}{1,5}\)/u.test(text);
  }

  static isPageNumber(text: string): boolean {
    return PAGE_NUMBER.test(text);
  }

  /** A number and words of dates, and nothing else. */
  #isDate(text: string): boolean {
    if (!/\p{N}/u.test(text)) return false;
    const parts = partsOf(text);
    const isDate = parts.every(
      (part) => /^\p{N}+$/u.test(part) || this.#dateWords.has(part) || !/[\p{L}\p{N}]/u.test(part),
    );
    return (
      isDate && (parts.some((part) => this.#dateWords.has(part)) || /^\d{1,4}([-/.])\d{1,2}\1\d{1,4}\b/.test(text))
    );
  }
}

const isLead = (text: string): boolean =>
  (LEADS.test(text) && !/[.!?。]["”]?$/.test(text)) || LEADS_ELSEWHERE.test(text);

const partsOf = (text: string): string[] =>
  text
    .toLocaleLowerCase()
    .split(/[\s,.:;|·•—–/()+-]+|(?<=\p{N})(?=\p{L})|(?<=\p{L})(?=\p{N})/u)
    .filter(Boolean);

/** Names of months and days in a language. */
function namesOfDays(language: string, length: "long" | "short"): string[] {
  try {
    const format = new Intl.DateTimeFormat(language, {
      month: length,
      weekday: length,
      day: "numeric",
      timeZone: "UTC",
    });
    // A day of each month, and a week.
    const dates = Array.from({ length: 19 }, (_, at) => (at < 12 ? Date.UTC(2026, at, 1) : Date.UTC(2026, 0, at - 11)));
    const parts = dates.flatMap((date) => format.formatToParts(date));
    const names = parts
      .filter(({ type }) => type === "month" || type === "weekday")
      .map(({ value }) => value.toLocaleLowerCase());
    return names.flatMap((name) => [name, name.replace(".", "")]);
  } catch {
    return [];
  }
}
