/** Adjustments of one certificate, decided or not. Apart from the schemas, which pages without a form do not load. */
export const MAX_ADJUSTMENTS = 50;
