import ExampleSupport
import ObjectMapping

let keyValueMapping = Example(
    "key-value-mapping", group: "Mapping",
    "A bank account: counts, averages and distinct values by key paths"
) { story in
    let json = """
        {
          "id": 4711,
          "name": "Harbour Bakery",
          "balance": 1204.75,
          "transactions": [
            { "id": 1, "payee": "Old Mill", "amount": 62.40 },
            { "id": 2, "payee": "Power & Light", "amount": 18.10 },
            { "id": 3, "payee": "Old Mill", "amount": 27.50 },
            { "id": 4, "payee": "Ferry", "amount": 12.00 }
          ]
        }
        """
    story.say("A service sends an account with its transactions:")
    story.show(json)

    story.say(
        """
        The app needs facts about the transactions, not the transactions. Each rule names a key path and a property. A
        component with @ computes a value of the collection before it:
        """)
    story.showCode("declaration")

    let account = try Account.mapping.map(json)

    story.say("One call, `try Account.mapping.map(json)`, gives a plain struct:")
    story.show(
        """
        account \(account.id), \(account.name), balance \(account.balance)
        transactions: \(account.transactionCount)
        average amount: \(account.averageAmount ?? 0)
        largest amount: \(account.largestAmount ?? 0)
        payees: \(account.payees.joined(separator: ", "))
        """)
    story.say("This needs no loop. Each payee is listed once, in the order of the first transaction.")
}

// snippet.declaration
struct Account: Mappable {
    var id = 0
    var name = ""
    var balance = 0.0
    var transactionCount = 0
    var averageAmount: Double?
    var largestAmount: Double?
    var payees: [String] = []

    static let mapping = Mapping(Account.init) {
        Attribute("id", \.id)
        Attribute("name", \.name)
        Attribute("balance", \.balance)
        Attribute("transactions.@count", \.transactionCount)
        Attribute("transactions.@avg.amount", \.averageAmount)
        Attribute("transactions.@max.amount", \.largestAmount)
        Attribute("transactions.@distinctUnionOfObjects.payee", \.payees)
    }
    .identified(by: \.id)
}
// snippet.end
