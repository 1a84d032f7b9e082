export function prepare(what: { web: boolean }): Promise<void>;
export function hasInstalled(folder: string): boolean;
