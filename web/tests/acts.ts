import type { Locator, Page } from 'playwright-core';
import type { SentFile } from './review-upload.ts';

/** What a person does on a page, counted: each click, filled field, chosen option or file, and pressed shortcut is one act. */
export interface Acts {
  readonly count: number;
  click(target: Locator): Promise<void>;
  /** Types a whole value into a field. */
  fill(target: Locator, value: string): Promise<void>;
  choose(target: Locator, label: string): Promise<void>;
  /** Chooses files in the dialog that a click on a field opens, which is part of it. */
  give(target: Locator, files: readonly SentFile[]): Promise<void>;
  /** Drops files on the page, as from a folder of the desktop. */
  drop(files: readonly SentFile[]): Promise<void>;
  press(key: string): Promise<void>;
}

export function actsOn(page: Page): Acts {
  let count = 0;
  const counted = (act: Promise<unknown>): Promise<void> => {
    count += 1;
    return act.then(() => undefined);
  };
  return {
    get count() {
      return count;
    },
    click: (target) => counted(target.click()),
    fill: (target, value) => counted(target.fill(value)),
    choose: (target, label) => counted(target.selectOption({ label })),
    give: (target, files) => counted(target.setInputFiles([...files])),
    drop: (files) => counted(dropFiles(page, files)),
    press: (key) => counted(page.keyboard.press(key)),
  };
}

/** Drops files on the page, as from a folder of the desktop. */
export async function dropFiles(page: Page, files: readonly SentFile[]): Promise<void> {
  const transfer = await page.evaluateHandle(
    (given) => {
      const data = new DataTransfer();
      for (const { name, type, bytes } of given) {
        data.items.add(new File([Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))], name, { type }));
      }
      return data;
    },
    files.map(({ name, mimeType: type, buffer }) => ({ name, type, bytes: buffer.toString('base64') })),
  );
  await page.dispatchEvent('main', 'dragenter', { dataTransfer: transfer });
  await page.dispatchEvent('main', 'drop', { dataTransfer: transfer });
}
