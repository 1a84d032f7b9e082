import { BUSINESS_TAPES, HELD_OUT_BUSINESS_TAPES } from './corpus-business.ts';
import { CONSUMER_TAPES, HELD_OUT_CONSUMER_TAPES } from './corpus-consumer.ts';
import { HELD_OUT_MORTGAGE_TAPES, MORTGAGE_TAPES } from './corpus-mortgages.ts';

/** Public schemas that the suggestions are tuned on. */
export const CORPUS = [...MORTGAGE_TAPES, ...CONSUMER_TAPES, ...BUSINESS_TAPES];
/** Schemas that the suggestions are not tuned on: they show the quality on an unknown tape. */
export const HELD_OUT = [...HELD_OUT_MORTGAGE_TAPES, ...HELD_OUT_CONSUMER_TAPES, ...HELD_OUT_BUSINESS_TAPES];
