// The bundlers that the npm package is tested with. What they build is in page/, what one needs beside it in a folder.

/** A bundler with its exact version, and how it is used. PORT in a command stands for a free port. */
export interface Project {
  readonly name: string;
  readonly packages: Readonly<Record<string, string>>;
  /** Folders of e2e/bundlers that make up the project; a later one wins. */
  readonly folders: readonly string[];
  /** Copies that both need before: arguments of `cp`. */
  readonly prepare?: readonly string[];
  /** Commands of the production build, in order: a program of node_modules/.bin and its arguments. */
  readonly build: readonly string[];
  /** Folder that the build writes, to be served as it is; or the command of the server that serves it. */
  readonly output: string | { readonly serve: string };
  /** Command of the dev server, where there is one. */
  readonly dev?: string;
}

const vite = (version: string): Project => ({
  name: `vite-${version.split(".")[0]}`,
  packages: { vite: version },
  folders: ["page"],
  build: ["vite build"],
  output: "dist",
  dev: "vite --port PORT --strictPort --host 127.0.0.1",
});

/** Copies the page, and the package's files beside the bundle. */
const COPY = ["cp index.html www", "cp -r node_modules/@pith/web/dist/. www"];

/** `cargo xtask test` builds with these. */
export const GATE: readonly Project[] = [
  vite("8.3.8"),
  {
    name: "esbuild",
    packages: { esbuild: "0.28.2" },
    folders: ["page"],
    prepare: COPY,
    build: ["esbuild index.js --bundle --minify --format=esm --outdir=www --allow-overwrite"],
    output: "www",
    dev: "esbuild index.js --bundle --format=esm --outdir=www --servedir=www --allow-overwrite --serve=127.0.0.1:PORT",
  },
];

const WEBPACK = "--entry ./index.js --output-path www --output-filename index.js";

const ANGULAR = "20.3.35";

/** With the long suites, these too. */
export const OTHERS: readonly Project[] = [
  vite("7.3.8"),
  vite("6.4.6"),
  vite("5.4.21"),
  {
    name: "webpack-5",
    packages: { webpack: "5.112.1", "webpack-cli": "6.0.0", "webpack-dev-server": "5.2.2" },
    folders: ["page"],
    prepare: ["cp index.html www"],
    build: [`webpack --mode production ${WEBPACK}`],
    output: "www",
    dev: `webpack serve --mode development ${WEBPACK} --static www --host 127.0.0.1 --port PORT`,
  },
  {
    name: "rollup-4",
    packages: { rollup: "4.68.7", "@rollup/plugin-node-resolve": "16.0.3" },
    folders: ["page"],
    prepare: COPY,
    build: ["rollup index.js --plugin node-resolve --dir www --format es"],
    output: "www",
  },
  {
    name: "parcel-2",
    packages: { parcel: "2.16.4" },
    folders: ["page"],
    build: ["parcel build index.html --dist-dir www --no-cache"],
    output: "www",
    dev: "parcel serve index.html --dist-dir www --no-cache --host 127.0.0.1 --port PORT",
  },
  {
    name: "next-16",
    packages: { next: "16.4.6", react: "19.3.1", "react-dom": "19.3.1" },
    folders: ["page", "next"],
    build: ["next build"],
    output: { serve: "next start -H 127.0.0.1 -p PORT" },
    dev: "next dev -H 127.0.0.1 -p PORT",
  },
  {
    name: "nuxt-4",
    packages: { nuxt: "4.1.3" },
    folders: ["page", "nuxt"],
    build: ["nuxt build"],
    output: { serve: "node .output/server/index.mjs" },
    dev: "nuxt dev --host 127.0.0.1 --port PORT",
  },
  {
    name: "angular-20",
    packages: {
      "@angular/build": "20.3.41",
      "@angular/cli": "20.3.43",
      "@angular/common": ANGULAR,
      "@angular/compiler": ANGULAR,
      "@angular/compiler-cli": ANGULAR,
      "@angular/core": ANGULAR,
      "@angular/platform-browser": ANGULAR,
      rxjs: "7.8.2",
      tslib: "2.8.1",
      typescript: "5.9.3",
    },
    folders: ["page", "angular"],
    build: ["ng build"],
    output: "www",
    dev: "ng serve --host 127.0.0.1 --port PORT",
  },
];
