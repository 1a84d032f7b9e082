import { type ComponentType, Suspense } from 'react';

/** A component whose code is loaded where it is shown. */
export interface LoadedPart<Props extends object> {
  /** The component. @throws a promise, which `Suspense` waits for, until it is loaded */
  readonly read: () => ComponentType<Props>;
}

/**
 * A part that a page shows only sometimes, such as one of its tabs. The server has it from the start, so that the page
 * is complete without JavaScript; the browser keeps what the server has drawn until the code is there.
 */
export function loadedPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LoadedPart<Props> {
  let loaded: ComponentType<Props> | null = null;
  let loading: Promise<void> | null = null;
  const begin = (): Promise<void> => {
    loading ??= load().then((part) => {
      loaded = part;
    });
    return loading;
  };
  if (import.meta.env.SSR) void begin();
  return {
    read() {
      if (!loaded) throw begin();
      return loaded;
    },
  };
}

function Shown<Props extends object>({ part, props }: { part: LoadedPart<Props>; props: Props }) {
  const Loaded = part.read();
  return <Loaded {...props} />;
}

/** Shows a part: `<ShownPart of={ROLLS} head={head} view={view} />`. */
export const ShownPart = <Props extends object>({ of, ...props }: { of: LoadedPart<Props> } & Props) => (
  <Suspense>
    <Shown part={of} props={props as unknown as Props} />
  </Suspense>
);
