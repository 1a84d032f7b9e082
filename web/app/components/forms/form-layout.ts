/** The fields of a form's part in two columns, which stack on a phone. */
export const FORM_GRID = 'grid max-w-[60rem] gap-4 p-4 sm:grid-cols-2';

/** A form's part whose content has a layout of its own. */
export const FORM_PANEL = 'max-w-[60rem] p-4';
