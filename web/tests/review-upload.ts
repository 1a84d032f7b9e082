import type { Page } from 'playwright-core';
import { paths } from '../app/paths.ts';

export interface SentFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** Chooses files on the upload page and waits for the review of what was found in them. */
export async function reviewUpload(
  page: Page,
  files: readonly SentFile[],
  { javaScript = true }: { javaScript?: boolean } = {},
): Promise<void> {
  await page.goto(paths.newTape());
  await page.getByLabel('Files').setInputFiles([...files]);
  // With JavaScript, the page goes on by itself once the files are uploaded.
  if (!javaScript) await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.waitForURL((url) => url.pathname === paths.newTape() && url.searchParams.has('files'));
  await page.getByRole('button', { name: /^Process/ }).waitFor();
}
