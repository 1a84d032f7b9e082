import { z } from 'zod';
import { REQUIRED } from '../errors/required.ts';
import { CHOSEN } from './chosen.ts';

export { isId } from './id.ts';

/** Accepts an id in either case and returns it in lower case, as it is stored. */
export const idSchema = z
  .string(REQUIRED)
  .regex(/^[0-9a-fA-F]{24}$/, 'Ids are exactly 24 characters')
  .toLowerCase()
  .meta({ example: '65f0c2a1b3d4e5f601234567' })
  .register(CHOSEN, { is: 'document' });
