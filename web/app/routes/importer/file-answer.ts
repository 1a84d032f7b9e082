/** A file to save under a name. */
export const fileAnswer = (content: Uint8Array, name: string, type: string): Response =>
  new Response(Uint8Array.from(content), {
    headers: {
      'content-type': type,
      'content-length': String(content.length),
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      'cache-control': 'private, no-store',
    },
  });
