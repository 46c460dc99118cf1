// Pays for one call with the client of npm: node pay.mjs URL KEY [BODY], a GET without a body;
// prints status and receipt.
import { ExactEvmScheme } from "@x402/evm";
import { wrapFetchWithPaymentFromConfig } from "@x402/fetch";
import { privateKeyToAccount } from "viem/accounts";

const [url, key, body] = process.argv.slice(2);
const paying = wrapFetchWithPaymentFromConfig(fetch, {
  spendControls: false, // unless told, it pays no more than 1 USD
  schemes: [{ network: "eip155:8453", client: new ExactEvmScheme(privateKeyToAccount(key)) }],
});
const answer = await paying(url, body === undefined ? {} : {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body,
});
const receipt = answer.headers.get("PAYMENT-RESPONSE");
console.log(JSON.stringify({
  status: answer.status,
  receipt: receipt && JSON.parse(Buffer.from(receipt, "base64").toString()),
  body: await answer.json(),
}));
