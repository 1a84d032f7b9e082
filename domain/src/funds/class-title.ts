/** How a class is named within a sentence: "class A", and "Class A" for one that is called that. */
export const classTitle = (name: string): string => (/\bclass\b/i.test(name) ? name : `class ${name}`);
