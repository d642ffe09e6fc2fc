// Names and pages of repositories on a model hub.

/** A repository, and which of its files. */
export interface HubName {
  owner: string;
  repo: string;
  quant: string | null;
  /** Path of a file in the repository. */
  path: string | null;
  /** A branch, a tag or a commit; by default `main`. */
  revision?: string;
  /** The folder whose files count. */
  folder?: string;
}

/** `owner/repo`, `owner/repo:quantization` or `owner/repo/file.gguf`; null for anything else. */
export function parseHubName(text: string): HubName | null {
  const [, owner, repo, quant, path] =
    /^([\w][\w.-]{0,95})\/([\w][\w.-]{0,95})(?::([\w.-]{1,40})|\/([^?#:\\]{1,300}\.gguf)|\/)?$/i.exec(text.trim()) ??
    [];
  if (!owner || !repo || !isPath(path)) return null;
  return { owner, repo, quant: quant ?? null, path: path ?? null };
}

/** Whether a path names something in its repository, and reads as it is. */
const isPath = (path: string | null | undefined): boolean =>
  !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\]|(?:^|\/)\.{1,2}(?:\/|$)/u.test(path ?? "");

/** A page of the hub: a repository, a folder in it (`/tree/`), or a file (`/blob/`). Null for a file itself, and for other pages. */
export function parsePage({ pathname, searchParams }: URL): HubName | null {
  const [, owner, repo, kind, revision, rest] =
    /^\/([\w][\w.-]{0,95})\/([\w][\w.-]{0,95})(?:\/(tree|blob)\/([^/]{1,96})(?:\/(.{1,300}?))?)?\/?$/.exec(pathname) ??
    [];
  if (!owner || !repo || /\.gguf$/i.test(repo)) return null;
  const path = searchParams.get("show_file_info") ?? (rest === undefined ? null : decode(rest));
  if (!isPath(path) || !isPath(revision && decode(revision))) return null;
  const isFile = path !== null && /\.gguf$/i.test(path);
  if (kind === "blob" && !isFile) return null;
  const folder = !isFile && path !== null ? { folder: path } : {};
  return {
    owner,
    repo,
    quant: null,
    path: isFile ? path : null,
    ...(revision && { revision: decode(revision) }),
    ...folder,
  };
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
