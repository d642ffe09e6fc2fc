export default {
  compatibilityDate: "2025-10-01",
  app: { head: { link: [{ rel: "icon", href: "data:," }] } },
};
