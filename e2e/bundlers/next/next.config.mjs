import { fileURLToPath } from "node:url";

/** Without `root`, Next takes the lock file of a folder above for the project's. */
export default { turbopack: { root: fileURLToPath(new URL(".", import.meta.url)) } };
