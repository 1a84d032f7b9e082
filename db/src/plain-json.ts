/** Converts to what JSON stores, for comparing with stored values: properties that are undefined are dropped. */
export const plainJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
