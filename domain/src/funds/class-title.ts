import { isId } from '../documents/id.schema.ts';

/** How a class is named within a sentence: "class A", and "Class A" for one that is called that. */
export const classTitle = (name: string): string => (/\bclass\b/i.test(name) ? name : `class ${name}`);

/**
 * The name of the class with this key. A class that was removed has none: its key stands for it, unless it was generated
 * and says nothing to people. Null for no class.
 */
export function classNameOf(
  classes: readonly { readonly name: string; readonly uniqueKey: string }[],
  key: string | null | undefined,
): string | null {
  if (key === null || key === undefined) return null;
  const found = classes.find(({ uniqueKey }) => uniqueKey === key);
  return found ? found.name : isId(key) ? 'Removed class' : key;
}
