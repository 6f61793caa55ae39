exports.tool = {
  name: "email.send",
  description: "Sends one message through an SMTP server.",
  requiredSecrets: ["smtp_user", "smtp_pass"],
  requiresApproval: true,
  getApprovalMessage: (input) => `Send "${input.subject}" to ${input.to}?`,
  async execute(input, context) {
    if (!context?.env["email.send-smtp_user"]) throw new Error("smtp_user is missing");
    return { messageId: `<${input.to.length}@example.invalid>` };
  },
};
