exports.tool = {
  name: "math.add",
  description: "Adds two numbers.",
  execute: async ({ a, b }) => ({ sum: a + b }),
};
