/** Questions to a person before a tape is processed, or before it is published. */
export const CURRENCY_QUESTION_CODES = ['amountCurrency', 'mainCurrency'] as const;
export const TAPE_QUESTION_CODES = [...CURRENCY_QUESTION_CODES, 'pool', 'changes'] as const;
export type TapeQuestionCode = (typeof TAPE_QUESTION_CODES)[number];

/** The answer that publishes a tape in spite of what differs from the previous tape. */
export const PUBLISH = 'publish';
