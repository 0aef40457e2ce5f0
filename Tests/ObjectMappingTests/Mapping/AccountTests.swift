import ObjectMapping
import Testing

struct Payment: Mappable, Equatable {
    var id = 0
    var amount = 0.0
    static let mapping = Mapping(Payment.init) {
        Attribute("id", \.id)
        Attribute("amount", \.amount)
    }
}

struct Owner: Mappable, Equatable {
    var name = ""
    var friends: [Owner] = []
    static let mapping = Mapping(Owner.init) {
        Attribute("name", \.name)
        Relationship("friends", \.friends)
    }
}

struct Account: Mappable, Equatable {
    var id = 0
    var balance = 0.0
    var transactionCount = 0
    var averageAmount: Double?
    var payees: [String] = []
    var owner: Owner?
    var payments: [Payment] = []

    static let mapping = Mapping(Account.init) {
        Attribute("id", \.id)
        Attribute("balance", \.balance)
        Attribute("transactions.@count", \.transactionCount)
        Attribute("transactions.@avg.amount", \.averageAmount)
        Attribute("transactions.@distinctUnionOfObjects.payee", \.payees)
        Relationship("owner", \.owner)
        Relationship("transactions", \.payments, shortPayment)
    }
    .identified(by: \.id)

    static let shortPayment = Mapping(Payment.init) { Attribute("amount", \.amount) }
}

let accountText = """
    {"id": 1234, "name": "Savings", "balance": 5013.26, "owner": {"name": "Ann", "friends": [{"name": "Bo", "friends": []}]},
     "transactions": [
       {"id": 1, "payee": "Grocer", "amount": 50.16}, {"id": 2, "payee": "Landlord", "amount": 200.15},
       {"id": 3, "payee": "Grocer", "amount": 325.00}, {"id": 4, "payee": "Cinema", "amount": 25.15}]}
    """

struct AccountTests {
    @Test func `an account is mapped with operators, a to-one and a to-many`() throws {
        let account = try Account.mapping.map(accountText)
        #expect(account.id == 1234)
        #expect(account.balance == 5013.26)
        #expect(account.transactionCount == 4)
        #expect(abs((account.averageAmount ?? 0) - 150.115) < 1e-9)
        #expect(account.payees == ["Grocer", "Landlord", "Cinema"])
        #expect(account.owner?.friends.first?.name == "Bo")
        #expect(account.payments.map(\.amount) == [50.16, 200.15, 325, 25.15])
        #expect(account.payments.map(\.id) == [0, 0, 0, 0])
    }

    @Test func `all issues of a payload are reported together`() throws {
        let text = """
            {"id": "x", "balance": [], "owner": {"name": {}},
             "transactions": [{"amount": 1}, {"amount": "a"}, 3]}
            """
        let error = #expect(throws: MappingError.self) { try Account.mapping.map(text) }
        #expect(
            error?.issues.map(\.path) == [
                "$.id", "$.balance", "$.owner.name", "$.transactions[1].amount", "$.transactions[1].amount",
                "$.transactions[2]",
            ])
    }

    @Test func `a recursive type is mapped`() throws {
        let all = try Owner.mapping.mapAll(
            #"{"data": {"people": [{"name": "A", "friends": [{"name": "B"}]}, {"name": "C"}]}}"#, at: "data.people")
        #expect(all.map(\.name) == ["A", "C"])
        #expect(all[0].friends.map(\.name) == ["B"])
    }
}
