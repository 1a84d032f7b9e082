/** Environment variables of a process, read or to be handed to one. */
export type Variables = Readonly<Record<string, string | undefined>>;
