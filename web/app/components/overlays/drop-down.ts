/**
 * Classes of a `details` that opens a panel below its button, and of the panel. Add the panel's side and width: on a
 * phone it takes the width of the page, because the button can be at either side.
 */
export const DROP_DOWN = 'relative max-sm:static';
export const DROP_DOWN_PANEL =
  'absolute z-30 mt-1 rounded-lg border border-line bg-paper shadow-float max-sm:inset-x-4 max-sm:w-auto';
