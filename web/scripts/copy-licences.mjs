// Puts the licences of the repository into the package that is packed.
import { cpSync } from "node:fs";

for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) cpSync(new URL(`../../${name}`, import.meta.url), name);
