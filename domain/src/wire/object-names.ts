const RESERVED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Whether a name has a special meaning for the objects of many programming languages. */
export const isReservedName = (name: string): boolean => RESERVED.has(name);

/** Sets a field of an object, whatever its name: a plain assignment to `__proto__` would not create one. */
export function setField(holder: object, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
}
