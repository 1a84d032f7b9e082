/**
 * Whether bytes can be text, in UTF-8, UTF-16 or an older encoding: no control characters except white space (including
 * vertical tab and form feed), and what old programs leave in files: Ctrl-Z at the end, and NUL as padding. Half the
 * bytes of Western text in UTF-16 are NUL.
 */
export function isText(head: Uint8Array): boolean {
  let padding = 0;
  for (const byte of head) {
    if (byte === 0) padding += 1;
    else if (byte < 32 && !((byte >= 9 && byte <= 13) || byte === 26)) {
      // Letters of other alphabets in UTF-16 may have any second byte.
      return (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
    }
  }
  return padding <= head.length / 2;
}
