/** What the broker of our own is made of: Maven coordinates, and the release the streams were measured on. */
export const KAFKA_VERSION = '3.9.2';

export const COORDINATES = [
  `org.apache.kafka:kafka_2.13:${KAFKA_VERSION}`,
  'org.slf4j:slf4j-simple:1.7.36',
] as const;

/** SHA-256 of each jar of these and of all they need. Nothing else is let into the cache. */
export const BROKER_JARS: Readonly<Record<string, string>> = {
  'argparse4j-0.7.0.jar': '65ceb669d88f63306c680f8088bbf765bbca72d288a61a03703000076c3d3f56',
  'audience-annotations-0.12.0.jar': 'ffb101fc066360ff3c77457c927fd7967fb096a6ee9e046ab7071447d8208efc',
  'caffeine-2.9.3.jar': '1e0a7bbef1dd791653143f3f05d0e489934bf5481e58a87c9e619cd46b68729b',
  'commons-beanutils-1.11.0.jar': '9e44ba68ec9a3f21286fa2a8bbb003b735c0f69101bb43144b79f4f8aaa74709',
  'commons-cli-1.4.jar': 'fd3c7c9545a9cdb2051d1f9155c4f76b1e4ac5a57304404a6eedb578ffba7328',
  'commons-collections-3.2.2.jar': 'eeeae917917144a68a741d4c0dff66aa5c5c5fd85593ff217bced3fc8ca783b8',
  'commons-digester-2.1.jar': 'e0b2b980a84fc6533c5ce291f1917b32c507f62bcad64198fff44368c2196a3d',
  'commons-io-2.14.0.jar': 'e35d1df7232568ed4b81d9a9ed94a0159b3ff6cf1915cc21eef5cb55d7b157a2',
  'commons-logging-1.3.5.jar': '6d7a744e4027649fbb50895df9497d109f98c766a637062fe8d2eabbb3140ba4',
  'commons-validator-1.10.1.jar': 'ed74711a78d793ca37f6075e4a1e93d107233dfd20d0bb17e32bad88d38e56aa',
  'error_prone_annotations-2.10.0.jar': 'a249d4d25dfb86d41e6c82fc335df580189f0c9feeabdc53233fc1e5060724a1',
  'jackson-annotations-2.16.2.jar': 'd1cdd269ebaa753d1842933194e17d61958f058952d63e03dbfb3d1d78a6926e',
  'jackson-core-2.16.2.jar': '4f43e2f1430b2d2413e8e5a3d79138e57e891d6a961b18c28ac90859639d8664',
  'jackson-databind-2.16.2.jar': '53b6025d98c357068296e4b134242443a248c2c582800879f1c4ea93b54bafa6',
  'jackson-dataformat-csv-2.16.2.jar': '01a04610def154c50369e8bcd7c5ae1401579f591aa55e88f05093447e24d490',
  'jackson-datatype-jdk8-2.16.2.jar': '3e9b1b59f638b487b5ae0e2f4190fc98f72b0bf661324e7dfc71a69f6b9d4e29',
  'jackson-module-scala_2.13-2.16.2.jar': '1154f6dc8643739c0c3ef4c2a7901ca752b5cca7ebe1908d405ced701a8f3764',
  'jopt-simple-5.0.4.jar': 'df26cc58f235f477db07f753ba5a3ab243ebe5789d9f89ecf68dd62ea9a66c28',
  'jose4j-0.9.6.jar': '7314af50cde9c99e8eaf43eee617a23edcc6bb43036221064355094999d837ef',
  'kafka-clients-3.9.2.jar': '014b4ef36884478a932641818b080c36a8f8e2e92dc771e800c9d2694f4f83d8',
  'kafka-group-coordinator-3.9.2.jar': 'd4d57f0955895cc38381f346f5ff7eba487afafa5ba264804af18393305b32fd',
  'kafka-group-coordinator-api-3.9.2.jar': 'bd903ba506c8309401a331ef1b826612d1cb95862879551031428da5cf50eab6',
  'kafka-metadata-3.9.2.jar': 'ffe970aee12f00df4b0162f31c719df7c412f9207c166a74cef6611be25a255e',
  'kafka-raft-3.9.2.jar': 'f897533828e55ac466a5b183a25dccbe5a7b97c02162dac38e25338feddfe422',
  'kafka-server-3.9.2.jar': '4f8667dbd664c4b0906e05499cfdc5f558f14c098b77fa6c09656cceb62a63ef',
  'kafka-server-common-3.9.2.jar': '0374b3f13c3c4b7fd446d35df1ccb0c60931ea27d4972b4de1bb1d548a87f5b2',
  'kafka-storage-3.9.2.jar': '8a3d7b67dfcd34b1334d4994ed4106ba9c9b37ebcbb177ac47ff44050e8ab84b',
  'kafka-storage-api-3.9.2.jar': '565ab8540b50c7f00ea62c77a6639237ed3a80550245be70dc733f157cd280d6',
  'kafka-tools-api-3.9.2.jar': '501ac034b93853c3dcba4b49e32c7c795de109a96b8ab6d59a9ab19e6ef11491',
  'kafka-transaction-coordinator-3.9.2.jar':
    'd6ca25648111dfd11f76d3d0f7f51a9458784b645f4e56ce34fbc58d9c9d0296',
  'kafka_2.13-3.9.2.jar': 'dddf49b18c931301fece0048a76d6b0956c36c8b1d1fc721bfed318aa6ee3e4f',
  'lz4-java-1.10.1.jar': 'a58a84c4271e50df4c96ed916ccb7e48a869f8ed9cdcda1ad5d3d4c33b0214a3',
  'metrics-core-2.2.0.jar': '6b7a14a6f34c10f8683f7b5e2f39df0f07b58c7dff0e468ebbc713905c46979c',
  'metrics-core-4.1.12.1.jar': 'cec34936faa625039f4e46123eccaa10a9eb9d9a40c6075830cd81330e259cf9',
  'netty-buffer-4.1.105.Final.jar': 'cc1b0108a60b1eb69bd01a10922851a166c58972cc0683f2116a9e8e7ecdaf0b',
  'netty-codec-4.1.105.Final.jar': 'c4f62480b408fb835b454c74cf6394a4c7088ffdaec78742fcece816c46bb58e',
  'netty-common-4.1.105.Final.jar': '399a8045fb43861afb7fc1ef3371f95a0b176692fb268f4867cff4957e63fd25',
  'netty-handler-4.1.105.Final.jar': '5a6945cf1de374628b37ab1c35a4c47c2f5616db3a94b150720641477112be8e',
  'netty-resolver-4.1.105.Final.jar': '7202edd076a1edab50fdb0f3e54f56a02129b326296d9f35f4194f8cfb9b96ef',
  'netty-transport-4.1.105.Final.jar': 'be9b8a2f86685a876e469c904cb9fce53a1e826e178d44d2b1d92f6a99054737',
  'netty-transport-classes-epoll-4.1.105.Final.jar':
    'a43bf94f784eb759c14f0b0c7e1c5985a64879e8c7ab21ba7c0c80f7a9382b30',
  'netty-transport-native-epoll-4.1.105.Final.jar':
    '61f09ce16f0fd25e57a0a732f8fb79344f6b95051d88ac50a28874ad92e6d149',
  'netty-transport-native-unix-common-4.1.105.Final.jar':
    '7db91b72aae19e1cdca13c7fa76d57db20cbaf5b1e770563909a4437c63eb5cb',
  'paranamer-2.8.jar': '688cb118a6021d819138e855208c956031688be4b47a24bb615becc63acedf07',
  'pcollections-4.0.1.jar': '1f82766d7c3221930854033bebff5073ea46b43f27326074bbe15d148c18bfb3',
  'scala-collection-compat_2.13-2.10.0.jar':
    'bb10091bd55131a5327bdeddede74e5d8a695acab24a97567111784f2f427299',
  'scala-java8-compat_2.13-1.0.2.jar': '90d5b13656be93fb779b8d7c723efa2498a34af06273bb5204afb65f85a20c1b',
  'scala-library-2.13.15.jar': '8e4dbc3becf70d59c787118f6ad06fab6790136a0699cd6412bc9da3d336944e',
  'scala-logging_2.13-3.9.5.jar': '87a3017d3f43e6ace7566fe4c3d615134c6914ff871c8d64bb32ca1d996d0545',
  'scala-reflect-2.13.15.jar': '78d0cc350e1ee42d87c6e11cf5b0dc7bf0b70829c00aa38f27bfb019d439dc11',
  'slf4j-api-1.7.36.jar': 'd3ef575e3e4979678dc01bf1dcce51021493b4d11fb7f1be8ad982877c16a1c0',
  'slf4j-simple-1.7.36.jar': '2f39bed943d624dfa8f4102d0571283a10870b6aa36f197a8a506f147010c10f',
  'snappy-java-1.1.10.5.jar': '0f3f1857ed33116583f480b4df5c0218836c47bfbc9c6221c0d73f356decf37b',
  'zookeeper-3.8.4.jar': '2d77b152039e7f85dc5438a9304febff86a2f3e55c88976a8be309af39028e97',
  'zookeeper-jute-3.8.4.jar': '93e854b55d731e745bafec187e2e7bf3389fd2a88e2fc8d1a3c1b9110284b284',
  'zstd-jni-1.5.6-4.jar': '793ca8734aa15687e7e64564eab8b6ae9ee2720eae27aa663074682144b1c386',
};
