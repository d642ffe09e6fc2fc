// VitePress's theme with the system's fonts: the site brings none.
import Theme from "vitepress/theme-without-fonts";
import "./style.css";

export default Theme;
