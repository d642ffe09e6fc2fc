//! A list of data: what headings are called, by what stands under them. Lower case, in the languages of the panel and a few more,
//! separated by semicolons. A heading is called so where it is one of them, or begins with one and has few words more.

use crate::words::{head, lower};

/// Characters of a heading that are looked at.
const HEADING_CHARS_MAX: usize = 80;

pub(crate) const INGREDIENTS: &str = "ingredients; ingredient list; zutaten; ingrédients; ingredientes; ingredienti; ingrediënten; składniki; ингредиенты; \
    المكونات; सामग्री; 材料; 재료; 原料; 食材; 用料; you will need for the dish";
pub(crate) const MATERIALS: &str = "what you need; what you'll need; what you will need; you will need; you'll need; things you'll need; materials; \
    materials needed; tools; tools and materials; tools needed; supplies; equipment; before you start; das brauchen sie; das brauchst du; sie brauchen; \
    du brauchst; material; werkzeug; matériel; il vous faut; ce qu'il vous faut; matériel nécessaire; materiales; herramientas; lo que necesitas; \
    occorrente; materiali; cosa serve; di cosa hai bisogno; attrezzi; material necessário; benodigdheden; potrzebne; materiały; инструменты; материалы; \
    что понадобится; الأدوات; المواد; 必要なもの; 用意するもの; 準備するもの; 道具; 준비물; 准备; 准备材料; 工具; 所需材料; 需要准备; आवश्यक सामग्री";
pub(crate) const METHOD: &str = "method; directions; instructions; preparation; steps; how to make it; step by step; step-by-step; how to make; procedure; \
    zubereitung; so geht's; anleitung; schritt für schritt; préparation; étapes; réalisation; preparación; elaboración; instrucciones; pasos; \
    preparazione; procedimento; istruzioni; preparo; modo de preparo; passo a passo; bereiding; bereidingswijze; przygotowanie; sposób przygotowania; \
    приготовление; способ приготовления; طريقة التحضير; الخطوات; विधि; बनाने की विधि; 作り方; 手順; 만드는 법; 만드는 방법; 做法; 步骤; 制作步骤; 操作步骤";
pub(crate) const NOTES: &str = "notes; tips; storage; storing; tips and notes; how to store; variations; troubleshooting; common mistakes; warnings; tipps; \
    tipp; hinweise; aufbewahrung; conseils; conservation; astuces; consejos; conservación; trucos; consigli; conservazione; dicas; bewaren; wskazówki; \
    советы; хранение; نصائح; सुझाव; コツ; ポイント; 保存; 注意; 小贴士; 注意事项; 팁";
pub(crate) const PROS: &str = "pros; the good; what we like; what's good; advantages; likes; good; vorteile; pro; plus; das hat uns gefallen; \
    points forts; les plus; avantages; lo bueno; a favor; ventajas; pregi; vantaggi; pontos positivos; prós; pluspunten; voordelen; zalety; плюсы; \
    достоинства; المميزات; 良い点; メリット; 장점; 优点; खूबियां";
pub(crate) const CONS: &str = "cons; the bad; what we don't like; what could be better; disadvantages; dislikes; bad; nachteile; contra; kontra; minus; \
    points faibles; les moins; inconvénients; lo malo; en contra; desventajas; difetti; svantaggi; pontos negativos; contras; minpunten; nadelen; wady; \
    минусы; недостатки; العيوب; 悪い点; デメリット; 단점; 缺点; कमियां";
pub(crate) const VERDICT: &str = "verdict; our verdict; the verdict; bottom line; the bottom line; conclusion; final thoughts; summary; should you buy it; \
    fazit; unser fazit; verdict final; notre verdict; notre avis; conclusión; veredicto; conclusioni; verdetto; conclusão; veredito; conclusie; oordeel; \
    podsumowanie; werdykt; вердикт; итог; вывод; заключение; الخلاصة; まとめ; 結論; 総評; 결론; 총평; 总结; 结论; निष्कर्ष";
pub(crate) const CONCLUSION: &str = "conclusion; conclusions; summary; concluding remarks; wrapping up; in summary; takeaways; key takeaways; lessons learned; \
    what we learned; results; fazit; zusammenfassung; schluss; résumé; en résumé; conclusión; conclusiones; resumen; conclusioni; riepilogo; conclusão; \
    resumo; samenvatting; conclusie; podsumowanie; wnioski; заключение; выводы; итоги; الخلاصة; まとめ; 結論; 요약; 결론; 总结; 结论; 小结; निष्कर्ष";
pub(crate) const ABSTRACT: &str = "abstract; summary; highlights; key points; significance; zusammenfassung; résumé; resumen; riassunto; resumo; samenvatting; \
    streszczenie; аннотация; الملخص; 摘要; 要旨; 概要; 초록; 提要; सार";
pub(crate) const MAN_NAME: &str = "name; nom; bezeichnung; nombre; nome; naam; nazwa; имя; 名前; 名称; 이름";
pub(crate) const SYNOPSIS: &str =
    "synopsis; usage; übersicht; sinopsis; sinossi; składnia; обзор; 書式; 总览; 概要";
pub(crate) const DESCRIPTION: &str = "description; overview; beschreibung; descripción; descrizione; descrição; beschrijving; opis; описание; 説明; 描述; 설명";
pub(crate) const OPTIONS: &str = "options; common options; command line options; command-line options; arguments; flags; optionen; opciones; opzioni; opções; \
    opties; opcje; опции; параметры; オプション; 选项; 옵션; commands";
pub(crate) const REFERENCES: &str = "references; bibliography; works cited; literatur; einzelnachweise; références; bibliographie; referencias; riferimenti; \
    note; referências; bronnen; przypisy; литература; примечания; المراجع; 参考文献; 脚注; 참고문헌; 参考资料";
pub(crate) const SEE_ALSO: &str = "see also; external links; further reading; siehe auch; weblinks; voir aussi; liens externes; véase también; enlaces externos; \
    voci correlate; collegamenti esterni; ver também; ligações externas; zie ook; zobacz też; см. также; ссылки; انظر أيضا; 関連項目; 外部リンク; 같이 보기; 外部链接; 参见";
pub(crate) const HIGHLIGHTS: &str = "highlights; breaking; breaking changes; what's new; new; new features; features; added; security; removed; deprecated; \
    deprecations; migration; migrating; upgrading; upgrade notes; neuerungen; neu; nouveautés; changements incompatibles; ruptures; novedades; cambios; \
    novità; novidades; nieuw; nowości; новое; изменения; 新機能; 新功能; 새로운 기능; 変更点; changed";
pub(crate) const CONTENTS: &str = "contents; table of contents; in this issue; inhalt; inhaltsverzeichnis; in dieser ausgabe; sommaire; table des matières; índice; \
    contenido; contenidos; sommario; indice; inhoud; spis treści; содержание; оглавление; المحتويات; 目次; 목차; 目录; chapters; all chapters";

/// Whether a heading has a name that is known here.
pub(crate) fn is_any(heading: &str) -> bool {
    [
        INGREDIENTS,
        MATERIALS,
        METHOD,
        NOTES,
        PROS,
        CONS,
        VERDICT,
        CONCLUSION,
        ABSTRACT,
        DESCRIPTION,
        OPTIONS,
        REFERENCES,
        SEE_ALSO,
        HIGHLIGHTS,
        CONTENTS,
    ]
    .iter()
    .any(|names| is_called(heading, names))
}

/// Whether a heading is called one of these.
pub(crate) fn is_called(heading: &str, names: &str) -> bool {
    let folded = fold(heading);
    names.split(';').map(str::trim).any(|name| {
        folded.strip_prefix(name).is_some_and(|rest| {
            let goes_on = rest.starts_with(char::is_alphanumeric) && name.is_ascii();
            !goes_on && rest.split_whitespace().count() <= 3
        })
    })
}

/// A heading in lower case, without numbers and marks before it.
pub(crate) fn fold(heading: &str) -> String {
    lower(head(heading, HEADING_CHARS_MAX).trim_start_matches(|c: char| !c.is_alphabetic()))
}

#[cfg(test)]
mod tests {
    use super::{INGREDIENTS, METHOD, NOTES, is_called};

    #[test]
    fn headings_are_known_by_their_beginnings() {
        assert!(is_called("Ingredients", INGREDIENTS));
        assert!(is_called("2. Ingredients (serves 4)", INGREDIENTS));
        assert!(is_called("材料（2人分）", INGREDIENTS));
        assert!(is_called("Zubereitung:", METHOD));
        assert!(!is_called("Methodology", METHOD));
        assert!(!is_called("Notes on the long history of this old and noble dish", NOTES));
    }
}
