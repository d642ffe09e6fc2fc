//! A list of data: what headings are called on pages of some kinds, in the form of `headings.rs`.

/// Over what a study found.
pub(super) const ABSTRACT: &str = "abstract; zusammenfassung; kurzfassung; résumé; resumen; riassunto; resumo; samenvatting; streszczenie; аннотация; الملخص; 摘要; 要旨; 抄録; 초록";
/// Over the data of a thing that is sold.
pub(super) const SPECS: &str = "specifications; technical specifications; specs; technical data; product details; details; in the box; what's in the box; features; technische daten; produktdetails; \
    lieferumfang; caractéristiques; fiche technique; características; ficha técnica; especificaciones; especificações; caratteristiche; scheda tecnica; specificaties; \
    kenmerken; dane techniczne; specyfikacja; характеристики; технические характеристики; المواصفات; 规格; 规格参数; 产品参数; 仕様; 製品仕様; 商品情報; 상품 정보; 제품 사양; \
    customer reviews; reviews; kundenbewertungen; rezensionen; bewertungen; opiniones; avis; recensioni; pricing; plans; preise; tarifs; precios; prezzi; preços; 价格; 料金プラン";
/// The parts of a study.
pub(super) const STUDY: &str = "introduction; related work; background; methods; method; materials and methods; results; discussion; experiments; evaluation; limitations; conclusion; conclusions; \
    future work; appendix; acknowledgements; references; einleitung; methoden; methodik; ergebnisse; diskussion; literatur; méthodes; résultats; discussion; bibliographie; introducción; \
    metodología; métodos; resultados; discusión; conclusiones; bibliografía; introduzione; metodi; risultati; discussione; conclusioni; introdução; metodologia; discussão; conclusões; \
    inleiding; resultaten; discussie; wstęp; metody; wyniki; dyskusja; wnioski; введение; методы; результаты; обсуждение; выводы; 引言; 绪论; 方法; 材料与方法; 结果; 结果与分析; 讨论; \
    结论; 参考文献; 緒言; はじめに; 方法; 結果; 考察; 結論; 서론; 방법; 결과; 고찰; 결론";
