/**
 * Writes a value into the bundle of the browser as it is at the time of the build, without what it is computed of
 * (`bundling/form-checks.ts`). So it is called at the top of a module without JSX, and its result is exported.
 */
export const atBuild = <Value>(value: Value): Value => value;
