export function prepare(what: { web: boolean }): Promise<void>;
