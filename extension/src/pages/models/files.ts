// Files cannot pass a port between contexts: what takes or gives them has a worker in this page.
import { Pith, type Progress, type StoredModel } from "@pith/web";

async function withPith<T>(work: (pith: Pith) => Promise<T>): Promise<T> {
  const pith = await Pith.open();
  try {
    return await work(pith);
  } finally {
    pith.close();
  }
}

/** Copies picked files into the store. */
export const importFiles = (
  files: File[],
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<StoredModel> => withPith((pith) => pith.download(files, { signal, onProgress }));

/** Gives a stored model's files to the browser, which saves them as downloads. */
export async function exportModel(name: string): Promise<void> {
  const { names, files } = await withPith((pith) => pith.export(name));
  for (const [i, file] of files.entries()) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = names[i] ?? name;
    link.click();
    // The browser has opened it by then.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }
}
