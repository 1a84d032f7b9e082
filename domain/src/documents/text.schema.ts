import { z } from 'zod';
import { REQUIRED } from '../errors/required.ts';

/** A required text of `least` to `most` characters, without surrounding space. */
export const textSchema = (least: number, most: number) =>
  z
    .string(REQUIRED)
    .trim()
    .min(least, { message: least === 1 ? REQUIRED : `At least ${least} characters` })
    .max(most, { message: `At most ${most} characters` });

/** A text of at most `most` characters that can be omitted. */
export const optionalTextSchema = (most: number) =>
  z
    .string()
    .trim()
    .max(most, { message: `At most ${most} characters` })
    .nullish();

/**
 * Characters that no name may hold, for a regular expression of JavaScript or PostgreSQL: control characters, among them
 * line breaks, and those that change the direction of writing. With them, one name could look like another, or like a
 * line of its own in a document or an email.
 */
export const NOT_IN_NAMES = '\\u0001-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069';
const UNFIT = new RegExp(`[\\u0000${NOT_IN_NAMES}]`);
/** Whether a text has nothing that a name may not have. */
export const isName = (text: string): boolean => !UNFIT.test(text);
const UNFIT_MESSAGE = 'Write this on one line, without hidden characters';

/** The name or title of anything: a text of one line. The database checks the same (`is_name`). */
export const nameSchema = (least: number, most: number) =>
  textSchema(least, most).refine(isName, { message: UNFIT_MESSAGE });

export const optionalNameSchema = (most: number) =>
  z
    .string()
    .trim()
    .max(most, { message: `At most ${most} characters` })
    .refine(isName, { message: UNFIT_MESSAGE })
    .nullish();

/** Maximum characters of a name or title for which the specification gives no limit. */
export const MAX_TITLE = 250;

/** Maximum characters of a description for which the specification gives no limit. */
export const MAX_TEXT = 4000;

/** A list of at most `most` items. */
export const listSchema = <Item extends z.ZodType>(item: Item, most: number, what: string) =>
  z.array(item).max(most, { message: `At most ${most} ${what}` });

/** Minutes that the author's local time is ahead of UTC; it dates only the document's creation. */
export const timezoneOffsetSchema = z.int().min(-840).max(840).optional();
