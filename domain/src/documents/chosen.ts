import { z } from 'zod';

/** What a text stands for that a person chooses and does not type. */
export type Chosen = 'document' | 'organization' | 'day' | 'currency' | 'country' | 'class' | 'file';

/** Texts that a person chooses and does not type, such as ids and dates. What is refined stays chosen. */
export const CHOSEN = z.registry<{ is: Chosen }>();
