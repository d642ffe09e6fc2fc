// Ratings as text: "4.4 out of 5", "★★★★☆".
import { wordsIn } from "./text.js";

const CHARS_MAX = 240;
/** "4.4 out of 5", "8,3/10", "5つ星のうち4.3", "★★★★☆". */
const RATING =
  /(?<![\p{N}.,/-])\p{N}{1,2}(?:[.,]\p{N}{1,2})?\s?(?:\/|out of|of|von|sur|de|su|di|van|z|na|av|af|из|من|में से|分の)\s?(?:5|10|100)(?![\p{N}/-]|[.,]\p{N})|[★☆⭐✩✪✭✮]{3,}|5つ星のうち\s?\p{N}|\p{N}(?:[.,]\p{N})?\s?(?:stars|sterne|étoiles|estrellas|estrelas|stelle|sterren|gwiazdek|звёзд|звезды?|つ星|颗星|星级)(?![\p{L}\p{N}])/iu;

/** True where a short text has a rating. */
export const hasRating = (text: string): boolean =>
  text.length <= CHARS_MAX && /[\p{N}★☆⭐✩✪✭✮]/u.test(text) && RATING.test(text);

const LABEL_CHARS_MAX = 80;
/** A label that is not seen may say nothing else. */
const WORDS = new Set(
  (
    "rated rating ratings average review reviews star stars out of from by customer customers based on vote votes score scored point points the a " +
    "von mit sternen sterne stern bewertung bewertungen bewertet durchschnittlich durchschnittliche durchschnitt kundenrezensionen " +
    "note notée noté notes moyenne sur étoile étoiles avis évaluation " +
    "valoración valorado valorada con de estrella estrellas puntuación media calificación opiniones " +
    "valutazione valutato valutata su stella stelle punteggio recensioni media " +
    "avaliação avaliado avaliada nota estrela estrelas em classificação com " +
    "beoordeling van ster sterren gemiddeld gemiddelde met ocena na gwiazdka gwiazdki gwiazdek opinii z " +
    "betyg av stjärna stjärnor snitt puan yıldız üzerinden ortalama " +
    "оценка рейтинг из звезда звезды звезд звёзд средняя " +
    "評 価 段 階 つ 星 の う ち 点 満 中 平 均 件 分 评 满 颗 得 級 级 " +
    "평점 별점 점 만점 만점에 만점에서 중 별 개 تقييم التقييم من نجوم نجمة रेटिंग में से स्टार"
  ).split(" "),
);

/** True for a text that is a rating and nothing else. */
export function isRatingLabel(text: string): boolean {
  if (text.length > LABEL_CHARS_MAX || !hasRating(text)) return false;
  return wordsIn(text.toLocaleLowerCase()).every((word) => {
    const letters = word.replace(/[\p{N}.,]+/gu, "");
    return WORDS.has(letters) || [...letters].every((letter) => WORDS.has(letter));
  });
}
