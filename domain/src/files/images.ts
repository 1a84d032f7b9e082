/** Largest logo or icon, in bytes. */
export const MAX_IMAGE_BYTES = 512 * 1024;

/** Media types of logos and icons. An SVG can contain scripts and is not one of them. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

export const isImageType = (type: string): boolean => (IMAGE_TYPES as readonly string[]).includes(type);

export const NO_IMAGE = 'Choose a PNG, JPEG, GIF or WebP image';
