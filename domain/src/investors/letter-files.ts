/** The bucket of the bank letters that come with requests for an account, and their directory in it. */
export const LETTER_FILES = { bucket: 'capitalAccounts', directory: 'bank-letters' } as const;
