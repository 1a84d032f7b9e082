import { z } from 'zod';

const RELOAD = { message: 'is not known. Reload the page' };

/** The version of a document as its form sends it back: what somebody has changed since it was shown is refused. */
export const versionField = z.coerce.number(RELOAD).int(RELOAD);
