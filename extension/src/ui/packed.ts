/** A file of the package that is there with gzip, such as `messages/de.json` as `messages/de.json.gz`. */
export async function fetchPacked(path: string): Promise<Response> {
  const packed = await fetch(chrome.runtime.getURL(`/${path}.gz`));
  return new Response(packed.body!.pipeThrough(new DecompressionStream("gzip")));
}
