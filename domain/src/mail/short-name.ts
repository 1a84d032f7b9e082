/** A name in a subject, which has one line and a limit. */
export const shortName = (name: string): string => (name.length > 60 ? `${name.slice(0, 57)}...` : name);
