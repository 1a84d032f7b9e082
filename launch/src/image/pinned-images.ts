const IMAGE = /^(\s*image: |FROM )(?!tapeline-)([\w./-]+:[\w.-]+)(@sha256:[0-9a-f]{64})?(?=\s|$)/gm;

/** The images from elsewhere that a compose file or a Dockerfile names with their versions, without digests. */
export const imagesIn = (text: string): string[] => [...text.matchAll(IMAGE)].map(([, , image = '']) => image);

/**
 * @param digests by image
 * @returns the text with the digest of each image
 * @throws if one has no digest
 */
export function withDigests(text: string, digests: ReadonlyMap<string, string>): string {
  return text.replaceAll(IMAGE, (_all, before: string, image: string) => {
    const digest = digests.get(image) ?? '';
    if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new Error(`${image} has no digest: "${digest}"`);
    return `${before}${image}@${digest}`;
  });
}
