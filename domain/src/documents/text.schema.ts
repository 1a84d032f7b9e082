import { z } from 'zod';

/** A required text of `least` to `most` characters, without surrounding space. */
export const textSchema = (least: number, most: number) =>
  z
    .string('is required')
    .trim()
    .min(least, { message: least === 1 ? 'is required' : `At least ${least} characters` })
    .max(most, { message: `At most ${most} characters` });

/** A text of at most `most` characters that can be omitted. */
export const optionalTextSchema = (most: number) =>
  z
    .string()
    .trim()
    .max(most, { message: `At most ${most} characters` })
    .nullish();

/** Maximum characters of a name or title for which the specification gives no limit. */
export const MOST_TITLE = 250;

/** Maximum characters of a description for which the specification gives no limit. */
export const MOST_TEXT = 4000;

/** A list of at most `most` items. */
export const listSchema = <Item extends z.ZodType>(item: Item, most: number, what: string) =>
  z.array(item).max(most, { message: `At most ${most} ${what}` });

/** Minutes that the author's local time is ahead of UTC; it dates only the document's creation. */
export const timezoneOffsetSchema = z.int().min(-840).max(840).optional();
