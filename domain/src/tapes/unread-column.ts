/** The column with what could not be read, and why: it exists if the mapping leaves such a field empty. */
export const unreadColumn = (path: string): string => `${path}.unread`;
