/** Words that files write in front of the sum of a column, or behind the name of what it adds up. */
export const TOTAL_WORDS =
  '(?:(?:grand|sub|overall)[ -]?)?(?:totals?|totaux|totale|totaal|summe|gesamt(?:summe|betrag)?|zwischensumme|insgesamt|somme|suma)';
