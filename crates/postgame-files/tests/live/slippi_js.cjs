// The other side of the tests in slippi_js.rs: slippi-js as a client and as a relay, npm's enet as Dolphin.
//
//   node slippi_js.cjs read-relay|relay|read-dolphin PORT, node slippi_js.cjs dolphin 0 < MESSAGES
const net = require("net");
const readline = require("readline");

const [role, port] = [process.argv[2], Number(process.argv[3])];
const HOST = "127.0.0.1";
// Nothing runs on if the test is gone.
setTimeout(() => process.exit(1), 60_000);

function report(connection) {
  const { SlpStream, SlpStreamEvent, SlpStreamMode, Command } = require("@slippi/slippi-js/node");
  const stream = new SlpStream({ mode: SlpStreamMode.AUTO });
  let [bytes, starts] = [0, 0];
  stream.on(SlpStreamEvent.RAW, ({ command, payload }) => {
    bytes += payload.length;
    if (command === Command.FRAME_START) starts += 1;
    if (command === Command.GAME_END) {
      console.log(`${bytes} bytes, ${starts} frame starts, end`);
      connection.disconnect();
      setTimeout(() => process.exit(0), 200);
    }
  });
  connection.on("data", (data) => stream.process(data));
}

async function main() {
  if (role === "read-relay" || role === "relay") {
    const { ConsoleConnection } = require("@slippi/slippi-js/node");
    const connection = new ConsoleConnection({ autoReconnect: false });
    if (role === "read-relay") {
      report(connection);
    } else {
      // As the launcher does it: what came so far first, then each piece.
      const pieces = [];
      const clients = [];
      connection.on("data", (data) => {
        pieces.push(Buffer.from(data));
        for (const client of clients) client.write(Buffer.from(data));
      });
      const server = net.createServer((client) => {
        client.on("error", () => {});
        client.on("data", () => {});
        client.write(Buffer.concat(pieces));
        clients.push(client);
      });
      server.listen(0, HOST, () => console.log(server.address().port));
    }
    await connection.connect(HOST, port);
  } else if (role === "read-dolphin") {
    const { DolphinConnection } = require("@slippi/slippi-js/node");
    const connection = new DolphinConnection();
    report(connection);
    await connection.connect(HOST, port);
  } else {
    const enet = require("enet");
    const messages = [];
    for await (const line of readline.createInterface({ input: process.stdin })) messages.push(line);
    enet.createServer({ address: new enet.Address(HOST, 0), peers: 4, channels: 3, down: 0, up: 0 }, (error, host) => {
      if (error) throw error;
      const send = (peer, text) => peer.send(0, new enet.Packet(Buffer.from(text), enet.PACKET_FLAG.RELIABLE));
      host.on("connect", (peer) => {
        peer.on("message", (packet) => {
          const { cursor } = JSON.parse(packet.data().toString());
          send(peer, JSON.stringify({ type: "connect_reply", nick: "npm", version: "1", cursor }));
          let next = cursor;
          const timer = setInterval(() => {
            for (let count = 0; count < 16 && next < messages.length; count++) send(peer, messages[next++]);
            if (next >= messages.length) clearInterval(timer);
          }, 2);
        });
      });
      host.start(2);
      console.log(host.address().port);
    });
  }
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
