/** Environment variables of a process. */
export type Variables = Readonly<Record<string, string | undefined>>;
