export const FIGURES_PER_PAGE = 50;
