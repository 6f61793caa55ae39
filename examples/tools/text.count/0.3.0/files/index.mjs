export const tool = {
  name: "text.count",
  description: "Counts characters, words and lines of a text.",
  execute: async ({ text }) => ({
    characters: [...text].length,
    words: text.split(/\s+/).filter(Boolean).length,
    lines: text.split("\n").length,
  }),
};
