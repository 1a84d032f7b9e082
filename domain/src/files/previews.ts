import { extensionOfType } from './file-types.ts';
import { IMAGE_TYPES } from './images.ts';

export const PDF_TYPE = 'application/pdf';

/** Larger files are only downloaded. */
export const MAX_PREVIEW_BYTES = 30 * 1024 * 1024;

/** Media types that pages show. Nothing that can contain scripts of its own, such as HTML or SVG, is among them. */
export const PREVIEW_TYPES: readonly string[] = [PDF_TYPE, ...IMAGE_TYPES];

export type Preview = 'pdf' | 'image';

/** How a page shows a file; null if it is only downloaded. */
export function previewOf({ type, size }: { type: string; size: number }): Preview | null {
  if (!PREVIEW_TYPES.includes(type) || size > MAX_PREVIEW_BYTES) return null;
  return type === PDF_TYPE ? 'pdf' : 'image';
}

/** A file's name in two parts. The extension is that of its content, which was checked, if it is known. */
export function nameParts({ name, type }: { name: string; type: string }): { name: string; extension: string } {
  const [, stem = name, written = ''] = /^(.*)\.([A-Za-z0-9]{1,8})$/s.exec(name) ?? [];
  return { name: stem, extension: extensionOfType(type) ?? (written.toLowerCase() || 'bin') };
}
